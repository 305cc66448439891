/** Minimum length of a password. Supabase Auth accepts six characters; a project can require more. */
export const shortestPassword = 8
