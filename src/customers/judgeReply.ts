import castArray from 'lodash/castArray';
import groupBy from 'lodash/groupBy';
import omit from 'lodash/omit';
import type { NotTaken, Verdict } from '../core/verdict';
import { namedAs, refusalIn, withoutLists } from '../core/verdict';
import { isRecord } from '../core/json';
import type { Customer } from './customer';

/** An object or a text in a response, and what speaks against it. */
interface Item {
	readonly identifier: unknown;
	readonly refusal: NotTaken | undefined;
}

const UNCLEAR: NotTaken = {
	kind: 'unknown',
	message: 'The response does not show whether the service took this customer, so it is unknown',
};

/**
 * What a response says of each customer of its request; the interface shows a job ID alone. Whoever is named has an answer of his
 * own. Where others are named, fewer are listed, or anything is said against someone who is not, the rest is unknown.
 */
export function judgeReply(reply: unknown, customers: readonly Customer[]): readonly Verdict[] {
	const items = itemsIn(reply);
	const byName = new Map(Object.entries(groupBy(items, ({ identifier }) => String(identifier))));
	const named = new Map(
		customers.map(({ identifier }) => [identifier, byName.get(identifier) ?? []]),
	);
	const own = new Set([...named.values()].flat());
	const isOpen =
		(own.size === 0 && isShort(reply, customers.length)) ||
		items.some((item) => item.refusal && !own.has(item));
	const isRead = (list: readonly unknown[]): boolean =>
		itemsIn([...list]).some(({ identifier }) => named.has(String(identifier)));
	const rest = withoutLists(reply, isRead);
	const whole = refusalIn(rest, customers.length) ?? (isOpen ? UNCLEAR : undefined);
	return customers.map(({ identifier }): Verdict => {
		const said = named.get(identifier) ?? [];
		const refusal = own.size === 0 ? whole : said.find((item) => item.refusal)?.refusal;
		if (refusal) return refusal;
		const isLeftOut = said.length === 0 && own.size > 0;
		return whole || isLeftOut ? UNCLEAR : { kind: 'accepted', reply, paired: false };
	});
}

const OF_CUSTOMERS =
	/^(customers|contacts|items|records|rows|results?|data|accepted|created|updated|upserted)$/i;

/** Whether a response lists fewer customers than were sent, and no jobs. */
const isShort = (reply: unknown, count: number): boolean =>
	Object.entries(isRecord(reply) ? reply : { customers: reply }).some(
		([name, list]) =>
			OF_CUSTOMERS.test(name) &&
			Array.isArray(list) &&
			list.length > 0 &&
			list.length < count &&
			!list.some((each) => Object.keys(Object(each)).some((key) => /job/i.test(key))),
	);

/** What stands in a response: what speaks against an object, or against the list that it is in, does so against all in it. */
function itemsIn(value: unknown, against?: NotTaken): readonly Item[] {
	// What a customer was sent with says nothing of how that ended.
	return Object.entries(omit(Object(value), 'metadata')).flatMap(([name, member]) => {
		const ofList = Array.isArray(member) && namedAs(name) !== 'taken' ? UNCLEAR : against;
		return castArray(member).flatMap((each) => {
			if (!isRecord(each))
				return Array.isArray(member) ? [{ identifier: each, refusal: ofList }] : [];
			const refusal = refusalIn(each, 1) ?? ofList;
			return [{ identifier: each['identifier'], refusal }, ...itemsIn(each, refusal)];
		});
	});
}
