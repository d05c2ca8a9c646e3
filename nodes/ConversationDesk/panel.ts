/** Exports the parameters of both nodes, which n8n loads at its start. */
export { conversationCreate } from './descriptions/conversationCreate';
export { conversationGet } from './descriptions/conversationGet';
export { customerBatches } from './descriptions/customerBatches';
export { ticketGet } from './descriptions/ticketGet';
export { ticketSearch } from './descriptions/ticketSearch';
export { ticketTrigger } from './descriptions/ticketTrigger';
export { listSearch, loadOptions, resourceMapping } from './lazy';
