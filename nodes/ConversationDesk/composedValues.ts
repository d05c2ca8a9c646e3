import cloneDeep from 'lodash/cloneDeep';
import set from 'lodash/set';
import { isBlank } from '../../src/core/plainText';

/** Parameters that decide whom or what: filters, numbers, identifiers, IDs and keys. */
const DECISIVE =
	/^(filters\b(?!.*valueList$)|ticketId|conversationId|agentId|toPhoneNumber|customer\.value\.(identifier|phoneNumber|email|id)|options\.personId|safeguards\..*campaignKey)\b/;

const PART = /\{\{([\s\S]+?)\}\}/g;

/** An expression with a default of its own. */
const HAS_DEFAULT = /\?\?|\|\||ifEmpty|\?[^.]/;

/** Evaluates one expression for a row. */
export type Evaluate = (expression: string, item: number) => unknown;

type Composed = ReadonlyArray<readonly [path: readonly string[], parts: readonly string[]]>;

/** The texts of a parameter that are put together from parts, such as "=ORD-{{ $json.order }}". */
function composedIn(path: readonly string[], entered: unknown): Composed {
	if (typeof entered === 'object' && entered !== null)
		return Object.entries(entered).flatMap(([key, inner]) => composedIn([...path, key], inner));
	if (typeof entered !== 'string' || !entered.startsWith('=')) return [];
	if (!DECISIVE.test(path.join('.'))) return [];
	const parts = [...entered.matchAll(PART)].map(([part]) => part);
	const isWhole = parts.length === 1 && entered.slice(1).trim() === parts[0];
	const open = parts.filter((part) => !HAS_DEFAULT.test(part));
	return isWhole || open.length === 0 ? [] : [[path, open]];
}

/** Makes a composed value empty if one of its expressions gives nothing: "ORD-" would find every order. */
export function createPartsCheck(
	path: string,
	entered: unknown,
	evaluate: Evaluate,
): (value: unknown, item: number) => unknown {
	const top = path.split('.');
	const composed = composedIn(top, entered);
	return (value, item) => {
		const empty = composed.filter(([, parts]) =>
			parts.some((part) => isBlank(evaluate(part, item))),
		);
		if (empty.length === 0) return value;
		if (empty.some(([at]) => at.length === top.length)) return '';
		const emptied = cloneDeep(value);
		for (const [at] of empty) set(Object(emptied) as object, at.slice(top.length), '');
		return emptied;
	};
}
