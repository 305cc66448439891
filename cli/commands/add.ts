import { firstSteps, stepsOfChange } from '../add/next-steps.ts'
import type { Call, ExitCode } from '../command/command.ts'
import { Refusal } from '../command/refusal.ts'
import { carryOut } from '../project/carry-out.ts'
import { pending } from '../project/changes.ts'
import { missingSecrets, secretsPath } from '../project/env-files.ts'
import { coreFunctions, exampleSlug, knownFunctions, knownIntegrations } from '../project/function-files.ts'
import { describeLeft, planInstallation } from '../project/installation.ts'
import { type ProjectRecord, readRecord } from '../project/record.ts'

/** `askback add`: puts Askback into a Supabase project, after showing what that changes. */
export async function run(call: Call): Promise<ExitCode> {
  const project = call.project()
  const record = readRecord(project)
  const functions = chooseFunctions(call, record)
  const vendor = call.isOn('no-vendor') ? false : call.isOn('vendor') || (record?.vendor ?? true)
  const own = record?.own ?? []
  if (!vendor && own.length > 0) {
    throw new Refusal(
      `--no-vendor is not possible: ${own.join(', ')} needs the code of Askback in the project. Nothing was changed.`,
    )
  }
  const { changes, kept, left } = planInstallation(
    project,
    record,
    { functions, own, vendor, force: false },
    new Date(),
  )
  const secrets = missingSecrets(project)
  const all = pending(project, [...secrets.changes, ...changes])
  for (const path of left) console.log(describeLeft(path))
  for (const path of kept)
    console.log(`${path} was changed by hand and stays: see \`askback upgrade --force\`.`)
  if (secrets.isTracked) {
    console.log(
      `git tracks ${secretsPath}, so no secret is written there. Make ASKBACK_CREDENTIALS_KEYS and ASKBACK_FUNCTION_SECRET yourself: see docs/settings.md.`,
    )
  }
  if (all.length === 0) {
    console.log('Askback is in this project already: nothing to do.')
    return 0
  }
  const gone = integrationsOf(record).filter((name) => record && !(name in functions))
  if (gone.length > 0)
    console.log(`Without ${gone.join(', ')}: --integrations names all that should be there.`)
  if (!(await carryOut(call, project, all))) return 0
  console.log(record ? stepsOfChange(project, record, functions, all) : firstSteps(project, functions))
  return 0
}

/** The functions that were chosen, with the names that they have in the project. */
function chooseFunctions(call: Call, record: ProjectRecord | undefined): Record<string, string> {
  const names = { ...record?.functions, ...readNames(call.valuesOf('name')) }
  const chosen = readIntegrations(call.valueOf('integrations')) ?? integrationsOf(record)
  return Object.fromEntries([...coreFunctions(), ...chosen].map((name) => [name, names[name] ?? name]))
}

function integrationsOf(record: ProjectRecord | undefined): string[] {
  const known = knownIntegrations()
  return record ? known.filter((name) => name in record.functions) : known
}

/** `smtp-api,docs-api`, also without `-api`. */
function readIntegrations(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined
  const known = knownIntegrations()
  const chosen = text.split(',').flatMap((word) => {
    const name = word.trim()
    if (name === '') return []
    const found = known.find((one) => one === name || one === `${name}-api`)
    if (found) return [found]
    throw new Refusal(
      `There is no integration "${name}". Choose from: ${known.map((one) => one.replace(/-api$/, '')).join(', ')}.`,
    )
  })
  return known.filter((name) => chosen.includes(name))
}

function readNames(pairs: readonly string[]): Record<string, string> {
  const known = knownFunctions()
  const names = pairs.map((pair): [string, string] => {
    const [name = '', slug = '', ...others] = pair.split('=')
    if (!known.includes(name)) {
      throw new Refusal(`--name ${pair}: there is no function "${name}". Choose from: ${known.join(', ')}.`)
    }
    if (slug === '' && others.length === 0) {
      throw new Refusal(
        `--name ${pair}: say what it is called, too, like --name ${name}=${exampleSlug(name)}.`,
      )
    }
    if (others.length === 0 && /^[A-Za-z][A-Za-z0-9_-]*$/.test(slug)) return [name, slug]
    throw new Refusal(
      `--name ${pair}: a name begins with a letter, and has letters, digits, _ and - only, like ${name}=${exampleSlug(name)}.`,
    )
  })
  const twice = names.find(([name], index) => names.findIndex(([other]) => other === name) !== index)
  if (twice) throw new Refusal(`--name gives "${twice[0]}" two names. Give it one.`)
  return Object.fromEntries(names)
}
