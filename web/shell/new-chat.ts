/** Tells the open chat page to begin afresh, also when it is at `/` already. */
export const newChatEvent = 'askback:new-chat'
