/** The functions for accounts, sessions and API tokens that a server calls, distributed or not. */
export const accountFunctions = [
  'caller_of',
  'note_api_token_use',
  'user_by_email',
  'user_facts',
  'change_password',
  'delete_account',
  'start_session',
  'end_session',
  'list_api_tokens',
  'mint_api_token',
  'revoke_api_token',
] as const;

/**
 * The functions of the schema that a server calls. Those that run with the rights of the schema's owner call
 * others, which are not listed.
 */
export const requiredFunctions = [
  ...accountFunctions,
  'read_repos',
  'read_findings',
  'read_finding',
  'read_prs',
  'create_account',
] as const;

/** What reads of repositories and pages are made of, distributed or not. */
export const pageFunctions = [
  'repos_of',
  'rows_in',
  'nearest_mark',
  'rows_per_mark',
  'database_key',
  'ms',
  'page_of_findings',
  'page_of_findings_of_repo',
  'page_of_prs',
  'page_of_prs_of_repo',
  'page_of_prs_of_status',
  'page_of_prs_of_repo_and_status',
] as const;

/** The functions that those call with the rights of the server, and those that delete what is left. */
export const innerFunctions = [
  'identify',
  ...pageFunctions,
  'fold_counts',
  'purge',
  'delete_rows_of_account',
] as const;
