/**
 * The functions of the schema that a server calls. Those that they call in turn are not listed: the canary
 * reads run them (`canary.ts`), or they run with the rights of the schema's owner.
 */
export const requiredFunctions = [
  'caller_of',
  'list_repos',
  'list_findings',
  'get_finding',
  'list_prs',
  'note_api_token_use',
  'user_by_email',
  'user_facts',
  'sign_up',
  'start_session',
  'end_session',
  'list_api_tokens',
  'mint_api_token',
  'revoke_api_token',
] as const;
