import { type Finding, fail } from '../finding.ts'
import type { Database } from './database.ts'

/** Functions that agents are offered but cannot call. */
export async function checkOfferedFunctions({ query }: Database): Promise<Finding[]> {
  const rows = await query(`select format('%I.%I', f.schema_name, f.function_name) as name,
      listed.value is null as gone, listed.value -> 'refused' ->> 'words' as refused
    from askback.offered_functions f
    left join json_array_elements(askback.list_functions()) listed
      on listed.value ->> 'name' = format('%I.%I', f.schema_name, f.function_name)
    where listed.value is null or listed.value ->> 'refused' is not null or (listed.value ->> 'changed')::boolean
    order by 1 limit 20`)
  return rows.map(({ name, gone, refused }) => {
    if (gone) {
      return fail(
        `Agents are offered ${name}, which is gone. Withdraw it: select askback.withdraw_function('${name}');`,
      )
    }
    return refused
      ? fail(`Agents are offered ${name}, which they cannot call: ${refused}`)
      : fail(
          `${name} was changed since agents were offered it, so they cannot call it. Offer it again: select * from askback.offer_functions_again();`,
        )
  })
}
