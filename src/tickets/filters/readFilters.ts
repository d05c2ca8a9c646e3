import { z } from 'zod/v4';
import type { InputError } from '../../core/failures';
import { choice, rowsOf } from '../../core/schemas';
import { jsonParameter } from '../../core/json';
import { problemsOf } from '../../core/operation';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import type { CompiledFilters, ConditionSettings } from './conditions';
import { compileConditions, conditionSchema } from './conditions';
import { filtersSchema } from './schema';

/** The parameters that hold filters: conditions of the builder, or JSON. */
export const filterParameters = {
	filterMode: choice(['builder', 'json']).default('builder'),
	filters: z.looseObject({ conditions: rowsOf(conditionSchema) }).default({ conditions: [] }),
	filtersJson: jsonParameter.optional(),
};

type FilterParameters = z.infer<z.ZodObject<typeof filterParameters>>;

/** Reads the filters from the parameters that hold them. */
export function readFilters(
	{ filterMode, filters, filtersJson }: FilterParameters,
	settings: ConditionSettings,
): Result<CompiledFilters, InputError> {
	if (filterMode === 'builder') return compileConditions(filters.conditions, settings);
	const parsed = filtersSchema(settings.zone).safeParse(filtersJson);
	return parsed.success
		? ok({ filters: parsed.data, skipped: 0 })
		: fail({ kind: 'input', problems: problemsOf(parsed.error, ['filtersJson']) });
}
