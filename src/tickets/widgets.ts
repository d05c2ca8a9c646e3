import type { Kind } from './columns';
import type { Operator } from './operators';

interface Widget {
	readonly name: string;
	readonly kinds: readonly Kind[];
	readonly operators: readonly Operator[];
}

const compared = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const;

/** The fields of a condition that hold its value, and where each is shown; tests of presence need none. */
export const widgets = {
	text: { name: 'value', kinds: ['identifier', 'text'], operators: ['eq', 'ne'] },
	pattern: {
		name: 'value',
		kinds: ['identifier', 'text', 'source', 'priority'],
		operators: ['iLike', 'notILike', 'like', 'notLike'],
	},
	between: { name: 'value', kinds: ['timestamp'], operators: ['isBetween'] },
	number: { name: 'numberValue', kinds: ['number'], operators: compared },
	relative: { name: 'numberValue', kinds: ['timestamp'], operators: ['isRelativeToToday'] },
	date: { name: 'dateValue', kinds: ['timestamp'], operators: compared },
	boolean: { name: 'booleanValue', kinds: ['boolean'], operators: ['eq', 'ne'] },
	source: { name: 'sourceValue', kinds: ['source'], operators: ['eq', 'ne'] },
	sources: { name: 'sourceValues', kinds: ['source'], operators: ['in', 'notIn'] },
	priority: { name: 'priorityValue', kinds: ['priority'], operators: ['eq', 'ne'] },
	priorities: { name: 'priorityValues', kinds: ['priority'], operators: ['in', 'notIn'] },
	list: {
		name: 'valueList',
		kinds: ['identifier', 'text', 'number', 'timestamp', 'boolean'],
		operators: ['in', 'notIn'],
	},
} as const satisfies Record<string, Widget>;

/** The field that holds the value of an operator on a kind of column, or undefined where it takes none. */
export function widgetFor(kind: Kind, operator: Operator): string | undefined {
	const all: readonly Widget[] = Object.values(widgets);
	return all.find((widget) => widget.kinds.includes(kind) && widget.operators.includes(operator))
		?.name;
}
