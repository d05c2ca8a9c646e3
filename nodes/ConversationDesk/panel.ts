/** All that n8n shows of both nodes: one file, loaded with n8n. */
export { conversationCreate } from './descriptions/conversationCreate';
export { conversationGet } from './descriptions/conversationGet';
export { customerBatches } from './descriptions/customerBatches';
export { ticketGet } from './descriptions/ticketGet';
export { ticketSearch } from './descriptions/ticketSearch';
export { ticketTrigger } from './descriptions/ticketTrigger';
export { listSearch, loadOptions, resourceMapping } from './lazy';
