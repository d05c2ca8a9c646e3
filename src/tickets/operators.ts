import type { Kind } from './columns';

/** The operand of an operator: one value, one or several, several, yes or no, or its own type. */
export type Operand = 'one' | 'oneOrMany' | 'many' | 'flag' | 'pattern' | 'text' | 'number';

interface OperatorFacts {
	readonly label: string;
	readonly operand: Operand;
	readonly description?: string;
}

const WILDCARDS = '% matches any text, _ one character';
const pattern = { operand: 'pattern', description: `Ignores case. ${WILDCARDS}.` } as const;
const casePattern = { operand: 'pattern', description: WILDCARDS } as const;

/** The operators of the service's query builder (interface: Filter operators by column kind). */
export const operators = {
	eq: { label: 'Is', operand: 'one' },
	gt: { label: 'Is Greater Than', operand: 'one' },
	gte: { label: 'Is Greater Than or Equal To', operand: 'one' },
	in: { label: 'Is Any Of', operand: 'many' },
	isBetween: {
		label: 'Is Between (Sent Unchanged)',
		operand: 'text',
		description: 'The service does not define the format of this value. Is Between is safer.',
	},
	isEmpty: { label: 'Is Empty', operand: 'flag' },
	isNotEmpty: { label: 'Is Not Empty', operand: 'flag' },
	isNotNull: { label: 'Is Set', operand: 'flag' },
	isNull: { label: 'Is Not Set', operand: 'flag' },
	isRelativeToToday: {
		label: 'Is Relative to Today (Sent Unchanged)',
		operand: 'number',
		description: 'The service does not define this number. Is in the Last ... Days is safer.',
	},
	iLike: { label: 'Matches Pattern', ...pattern },
	like: { label: 'Matches Pattern (Case-Sensitive)', ...casePattern },
	lt: { label: 'Is Less Than', operand: 'one' },
	lte: { label: 'Is Less Than or Equal To', operand: 'one' },
	ne: { label: 'Is Not', operand: 'oneOrMany' },
	notILike: { label: 'Does Not Match Pattern', ...pattern },
	notIn: { label: 'Is None Of', operand: 'many' },
	notLike: { label: 'Does Not Match Pattern (Case-Sensitive)', ...casePattern },
} as const satisfies Record<string, OperatorFacts>;

/** The name of an operator. */
export type Operator = keyof typeof operators;

const equality = ['eq', 'ne', 'in', 'notIn'] as const;
const presence = ['isNull', 'isNotNull', 'isEmpty', 'isNotEmpty'] as const;
const comparisons = ['gt', 'gte', 'lt', 'lte'] as const;
const patterns = ['iLike', 'notILike', 'like', 'notLike'] as const;

/** The operators of each kind of column. */
export const operatorsByKind = {
	identifier: [...equality, ...presence, ...patterns],
	text: [...equality, ...presence, ...patterns],
	number: [...equality, ...presence, ...comparisons],
	source: [...equality, ...presence, ...patterns],
	priority: [...equality, ...presence, ...patterns],
	timestamp: [...equality, ...presence, ...comparisons, 'isBetween', 'isRelativeToToday'],
	boolean: [...equality, ...presence],
} as const satisfies Record<Kind, readonly Operator[]>;

/** The operators that the menu of the panel offers for each kind: those that make sense there. The others work in conditions that have them, and in JSON. */
export const menuOperatorsByKind = {
	identifier: [...equality, 'isNull', 'isNotNull'],
	text: [...equality, ...presence, ...patterns],
	number: [...equality, ...comparisons],
	source: equality,
	priority: equality,
	timestamp: ['eq', 'ne', 'isNull', 'isNotNull', ...comparisons],
	boolean: ['eq', 'ne', 'isNull', 'isNotNull'],
} as const satisfies Record<Kind, readonly Operator[]>;

/** The operators that read differently for points in time. */
const timeLabels: Partial<Record<Operator, string>> = {
	gt: 'Is After',
	gte: 'Is at or After',
	lt: 'Is Before',
	lte: 'Is at or Before',
};

/** The label of an operator for a kind of column. */
export const operatorLabel = (operator: Operator, kind: Kind): string =>
	(kind === 'timestamp' ? timeLabels[operator] : undefined) ?? operators[operator].label;

/** The fields of a condition that hold one value of a kind, and several. */
const valueFieldNames = {
	identifier: { one: 'value', many: 'idValues' },
	text: { one: 'value', many: 'valueList' },
	number: { one: 'numberValue', many: 'valueList' },
	source: { one: 'sourceValue', many: 'sourceValues' },
	priority: { one: 'priorityValue', many: 'priorityValues' },
	timestamp: { one: 'dateValue', many: 'valueList' },
	boolean: { one: 'booleanValue', many: 'valueList' },
} as const satisfies Record<Kind, { readonly one: string; readonly many: string }>;

/** The field with the value of an operator; undefined for operators without one, e.g. isNull. */
export function valueFieldFor(kind: Kind, operator: Operator): string | undefined {
	const { operand } = operators[operator];
	if (operand === 'flag') return undefined;
	if (operand === 'pattern' || operand === 'text') return 'value';
	if (operand === 'number') return 'numberValue';
	return valueFieldNames[kind][operand === 'many' ? 'many' : 'one'];
}

/** The operators on a kind of column whose operand is in `operands`. */
export const listOperatorsByOperand = (kind: Kind, operands: readonly Operand[]): Operator[] =>
	operatorsByKind[kind].filter((name) => operands.includes(operators[name].operand));
