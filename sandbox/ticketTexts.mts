/** First halves of invented titles. */
export const subjects = [
	'Cannot open',
	'Question about',
	'Refund for',
	'Broken',
	'Delivery of',
	'Zugriff auf',
	'Problème avec',
	'¿Dónde está',
	'お問い合わせ:',
	'Вопрос:',
	'URGENT!',
	'Re: Re:',
] as const;

/** Second halves of invented titles, some with characters that mean something in a pattern. */
export const topics = [
	'the invoice',
	'order 100% wool sweater',
	'discount 50% off',
	'file_name_final.pdf',
	'user_id mismatch',
	'path C:\\temp\\export',
	'the "premium" plan',
	"O'Brien's account",
	'Größe und Farbe',
	'café crème ☕',
	'mañana pickup',
	'電話番号の変更',
	'смена тарифа',
	'<b>bold</b> & more',
	'password reset',
	'appointment 🎉',
	'',
] as const;

/** Invented descriptions; one is the empty text. */
export const descriptions = [
	'The customer called twice and asked to be called back in the afternoon.',
	'Parcel arrived damaged.\nPhotos are attached.',
	'Customer says: "It worked yesterday".',
	'Bitte prüfen, ob die Rechnung über 1.250,00 € schon bezahlt ist.',
	'Le client souhaite annuler sa réservation et être remboursé à 100 %.',
	'お客様は請求書の再発行を希望しています。',
	'The export stops at row 10_000 with an error.',
	'Asked for the price list; sent by e-mail.',
	'',
	'Wants to talk to a person, not to a machine.',
] as const;
