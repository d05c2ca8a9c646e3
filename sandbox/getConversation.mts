import { showConversation } from './conversationStore.mts';
import { json, readRefusal } from './reply.mts';
import type { Reply } from './reply.mts';
import type { World } from './world.mts';

/** GET /conversations/{id}: an id that is no UUID is as unknown as any other. */
export function getConversation(world: World, path: string): Reply {
	const stored = world.conversations.find(path.slice(path.lastIndexOf('/') + 1));
	if (!stored) return readRefusal(404, path);
	return json(200, showConversation(stored, world.now()));
}
