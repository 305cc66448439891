/** An edge function that cannot start. */
throw new Error('the setting FOO is missing')
