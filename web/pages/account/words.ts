import { wordsOf } from '../../base/language.ts'

export const accountWords = wordsOf('account', {
  title: 'Account',
  signedInAs: (email: string) => `Signed in as ${email}.`,
  signedInWithoutAddress: 'Signed in without an email address.',
  password: 'Password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  enterCurrent: 'Enter your current password.',
  currentIsWrong: 'The current password is wrong.',
  changePassword: 'Change password',
  passwordChanged: 'Password changed.',
  language: 'Language',
  asInBrowser: 'Same as browser',
  devices: 'Devices',
  devicesNote:
    'Signs you out here and everywhere else. Other devices may take up to an hour. All your tokens for OpenAI clients are revoked for good.',
  signOutEverywhere: 'Sign out everywhere',
  signedOutEverywhere: 'You are signed out on all of your devices, and your tokens are revoked.',
  deleteAccount: 'Delete account',
  deleteNote:
    'Deletes your chats, agents, documents, files, connections and tokens for good, and stops whatever is running. Emails already sent stay sent.',
  typeToConfirm: (email: string) => `Type ${email} to confirm`,
  confirmMissing: 'Type your account’s email address to confirm.',
  confirmWord: 'DELETE',
  confirmWordMissing: 'Type DELETE to confirm.',
  deleteMine: 'Delete my account',
  deleting: 'Deleting …',
  deleted: 'Your account and everything in it have been deleted.',
  notNotified: (providers: string) =>
    `${providers} couldn’t be notified: remove the app from your account there.`,
  demoComesBack: 'The demo account comes back when Askback restarts.',
})
