import type { Kind } from '../../src/tickets/columns';
import type { Operator } from '../../src/tickets/operators';
import { operators } from '../../src/tickets/operators';
import { uuidOf } from './samples';

/** A value that a column of this kind may hold. */
export const exampleValues: Readonly<Record<Kind, unknown>> = {
	identifier: uuidOf(7),
	text: 'Printer on fire',
	number: 42,
	source: 'voice',
	priority: 'urgent',
	timestamp: '2026-01-31T09:00:00.000Z',
	boolean: true,
};

/** An operand that an operator takes, as it is sent. */
export function exampleOperand(operator: Operator, kind: Kind): unknown {
	switch (operators[operator].operand) {
		case 'one':
			return exampleValues[kind];
		case 'many':
			return [exampleValues[kind]];
		case 'flag':
			return true;
		case 'pattern':
			return '%fire_';
		case 'text':
			return '2026-01-01T00:00:00Z,2026-02-01T00:00:00Z';
		case 'number':
			return -7;
	}
}
