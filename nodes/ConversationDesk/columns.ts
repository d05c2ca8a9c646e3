import type { INodeExecutionData } from 'n8n-workflow';

/** Comes last, as it is the same in every row. */
const LAST = 'dryRun';

/** Gives all items of rows the same columns in one order, whatever became of them: a table shows those of its first row. */
export function alignColumns(
	items: INodeExecutionData[],
	leading: readonly string[] | undefined,
): INodeExecutionData[] {
	if (!leading) return items;
	const isRow = ({ json }: INodeExecutionData): boolean => 'row' in json && 'outcome' in json;
	// What most columns are in gives their order.
	const known = new Set<string>(leading);
	let widest: readonly string[] = [];
	const all = new Set<string>();
	for (const item of items)
		if (isRow(item)) {
			const names = Object.keys(item.json);
			if (names.length > widest.length) widest = names;
			for (const name of names) all.add(name);
		}
	for (const name of [...widest, ...all]) if (name !== LAST) known.add(name);
	if (all.has(LAST)) known.add(LAST);
	const names = [...known];
	return items.map((item) => {
		if (!isRow(item)) return item;
		const json: INodeExecutionData['json'] = {};
		for (const name of names) json[name] = item.json[name] ?? (name in item.json ? null : '');
		return Object.assign(item, { json });
	});
}
