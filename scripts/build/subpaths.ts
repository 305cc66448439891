import { basename } from 'node:path'

/** The public modules of `askback` for apps and integrations, by subpath: their sources. Functions come on top. */
export const subpaths: Readonly<Record<string, string>> = {
  '.': 'shared/index.ts',
  './integration': 'scripts/build/integration.ts',
  './words': 'shared/project-words.ts',
  './client': 'client/askback.ts',
  './client/chat-transport': 'client/chat-transport.ts',
  './client/kept-store': 'client/kept-store.ts',
  './client/labels/de': 'client/labels/de.ts',
  './client/labels/en': 'client/labels/en.ts',
  './client/labels/en-integrations': 'client/labels/en-integrations.ts',
  './client/labels/failure': 'client/labels/failure.ts',
  './react': 'client/react/index.ts',
  ...Object.fromEntries(
    [
      'calls/tool-card.tsx',
      'cards/approval-card.tsx',
      'cards/connect-card.tsx',
      'cards/open-line.tsx',
      'cards/question-form.tsx',
      'cards/receipt.tsx',
      'cards/several-approvals.tsx',
      'cards/wait-card.tsx',
      'conversation/composer.tsx',
      'conversation/use-conversation.ts',
      'conversation/use-decisions.ts',
      'conversation/use-tools.ts',
      'forms/use-kept.ts',
      'labels/labels.tsx',
      'labels/tool-names.tsx',
      'labels/use-labels.ts',
      'lists/conversation-list.tsx',
      'lists/conversation-row.tsx',
      'lists/found-conversations.tsx',
      'lists/use-conversations.ts',
      'lists/use-open-items.ts',
      'messages/message-list.tsx',
      'messages/message.tsx',
      'messages/pending-card.tsx',
      'messages/pieces.tsx',
      'messages/sources.tsx',
      'settings/integrations.tsx',
      'values/mail-frame.tsx',
      'values/outside-link.tsx',
      'values/user-files.tsx',
    ].map((file) => [`./react/${basename(file).replace(/\.tsx?$/, '')}`, `client/react/${file}`]),
  ),
}

/** Stylesheets, by subpath. */
export const stylesheets: Readonly<Record<string, string>> = {
  './askback.css': 'client/react/askback.css',
  './shadcn.css': 'client/react/shadcn.css',
}
