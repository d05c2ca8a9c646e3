import { isBlank, visible } from '../core/text';

/** What programs and people write into a cell that has no value. */
const PLACEHOLDERS = new Set(
	`\\n,-,--,---,–,—,.,?,/,_,*,n/a,n.a.,na,n\\a,none,null,nil,undefined,nan,unknown,not set,not available,not provided,no value,empty,tbd,todo,xxx,
(none),(blank),(empty),(not set),(unknown),[empty],<null>,<none>,[object object],
####,
keine,keine angabe,k.a.,k. a.,unbekannt,aucun,inconnu,ninguno,desconocido,sin datos,nenhum,desconhecido,nessuno,sconosciuto,geen,onbekend`.split(
		/,\n?/,
	),
);
/** What a sheet shows in place of a value that it cannot work out, in any language: "#REF!", "#N/D". */
const ERROR = /^#(\p{Lu}[\p{Lu}\d/]*[!?]|N\/[A-Z]|N[ADV])$/u;
const MAX_LENGTH = 20;

/** Whether a cell has no value, or only says so in words: "N/A", "-", "#REF!". */
export function isNothing(value: unknown): boolean {
	if (typeof value !== 'string' || value.length > MAX_LENGTH) return isBlank(value);
	const text = visible(value);
	const isError = text.startsWith('#') && ERROR.test(text.toUpperCase());
	return text === '' || isError || PLACEHOLDERS.has(text.toLowerCase());
}

/** Names that are written as programs write an empty cell. */
const NAMES = /^(Na|Nan|Nil|Null)$/;

/** The same of a cell that gives a field its value: someone may be called Null. */
export const isNothingFor = (field: string, value: unknown): boolean =>
	isNothing(value) && !(field === 'name' && NAMES.test(String(value)));

/** Whether a cell is zero, which is nobody's ID, name, number or address. */
export const isZero = (value: unknown): boolean =>
	value === 0 || (typeof value === 'string' && /^\s*0[\s0.,-]*$/.test(value));
