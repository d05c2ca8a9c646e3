import type { Kind } from './columns';

/** The type of an operand. In JSON, `ne` takes one value or several. */
export type Operand = 'one' | 'many' | 'flag' | 'pattern' | 'text' | 'number';

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
	// The interface does not show the values of isBetween and isRelativeToToday, so they are sent unchanged.
	isBetween: { label: 'isBetween', operand: 'text' },
	isEmpty: { label: 'Is Empty', operand: 'flag' },
	isNotEmpty: { label: 'Is Not Empty', operand: 'flag' },
	isNotNull: { label: 'Is Set', operand: 'flag' },
	isNull: { label: 'Is Not Set', operand: 'flag' },
	isRelativeToToday: { label: 'isRelativeToToday', operand: 'number' },
	iLike: { label: 'Matches Pattern', ...pattern },
	like: { label: 'Matches Pattern (Case-Sensitive)', ...casePattern },
	lt: { label: 'Is Less Than', operand: 'one' },
	lte: { label: 'Is Less Than or Equal To', operand: 'one' },
	ne: { label: 'Is Not', operand: 'one' },
	notILike: { label: 'Does Not Match Pattern', ...pattern },
	notIn: { label: 'Is None Of', operand: 'many' },
	notLike: { label: 'Does Not Match Pattern (Case-Sensitive)', ...casePattern },
} as const satisfies Record<string, OperatorFacts>;

/** The name of an operator. */
export type Operator = keyof typeof operators;

const equality = ['eq', 'ne', 'in', 'notIn'] as const;
const nullness = ['isNull', 'isNotNull'] as const;
const emptiness = ['isEmpty', 'isNotEmpty'] as const;
const comparisons = ['gt', 'gte', 'lt', 'lte'] as const;
const patterns = ['iLike', 'notILike', 'like', 'notLike'] as const;
const unshown = ['isBetween', 'isRelativeToToday'] as const;

/** The operators of each kind of column: those in the menu of the builder, and those that only JSON has. */
export const operatorsByKind = {
	identifier: { menu: [...equality, ...nullness], jsonOnly: [...emptiness, ...patterns] },
	text: { menu: [...equality, ...nullness, ...emptiness, ...patterns], jsonOnly: [] },
	number: { menu: [...equality, ...comparisons], jsonOnly: [...nullness, ...emptiness] },
	source: { menu: equality, jsonOnly: [...nullness, ...emptiness, ...patterns] },
	priority: { menu: equality, jsonOnly: [...nullness, ...emptiness, ...patterns] },
	timestamp: {
		menu: ['eq', 'ne', ...nullness, ...comparisons],
		jsonOnly: ['in', 'notIn', ...emptiness, ...unshown],
	},
	boolean: { menu: ['eq', 'ne', ...nullness], jsonOnly: ['in', 'notIn', ...emptiness] },
} as const satisfies Record<Kind, Record<'menu' | 'jsonOnly', readonly Operator[]>>;

/** All operators of a kind of column. */
export const listOperators = (kind: Kind): readonly Operator[] => [
	...operatorsByKind[kind].menu,
	...operatorsByKind[kind].jsonOnly,
];
