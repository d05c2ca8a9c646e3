/** Invented customers, each with the five fields that a CRM export has. */
export function customersOf(count: number): Array<Record<string, unknown>> {
	return Array.from({ length: count }, (_, n) => ({
		identifier: `C-${n}`,
		name: `Person ${n}`,
		phoneNumber: `+1415${String(5_000_000 + n)}`,
		email: `person.${n}@example.com`,
		priority: n % 10,
	}));
}
