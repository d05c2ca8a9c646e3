import memoize from 'lodash/memoize';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Problem } from '../../src/core/failures';
import { isBlank } from '../../src/core/plainText';
import { IS_EMPTY } from '../../src/core/problems';
import { chosenValue, NO_VALUE } from '../../src/core/schemas';
import { listSome } from '../../src/core/words';
import { listInputColumns, findEntered } from './enteredParameters';
import { holdsExpression } from './expressions';

/** Another node that an expression reads. */
const NODE = /\$\(\s*([\x22\x27\x60])([^\x22\x27\x60]+)\1\s*\)/;

/** Explains problems of parameters that are empty in every row, because each row alone looks like bad data. */
export function createExplanation(context: IExecuteFunctions): (problem: Problem) => Problem {
	const [rows, { parameters }] = [context.getInputData(), context.getNode()];
	const isEmptyEverywhere = memoize((expression: string) =>
		rows.every((_, item) => isBlank(context.evaluateExpression(expression.slice(1), item))),
	);
	return (problem) => {
		if (rows.length < 2 || ![IS_EMPTY, NO_VALUE].includes(problem.reason)) return problem;
		const entered = chosenValue(findEntered(parameters, problem.path));
		const isExpression = typeof entered === 'string' && holdsExpression(entered);
		if (!isExpression || !isEmptyEverywhere(entered)) return problem;
		const [, , node] = NODE.exec(entered) ?? [];
		const fix =
			node === undefined
				? `Check the column name in its expression. Columns found: ${listSome(listInputColumns(rows)) || 'none'}`
				: `It is read from the node '${node}', so enter it there`;
		return { ...problem, reason: 'is empty in every row', fix };
	};
}
