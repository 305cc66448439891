/** An edge function that forgot to serve. */
export {}
