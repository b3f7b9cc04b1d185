import { stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { renamedFolderFault } from '@bi-manager/telemetry/environment'
import { whyUnreadable } from '../packages/reports/src/authoring/publish/data-folder.ts'
import { PublicationBusyError } from '../packages/reports/src/authoring/publish/publication.ts'
import {
  type CheckResult,
  check,
  publish,
  remove,
} from '../packages/reports/src/authoring/publish/publish.ts'
import { writeSchemas } from '../packages/reports/src/authoring/publish/schema.ts'
import { ConfigError, readConfig } from '../packages/reports/src/config.ts'
import { SERVICE_FILE } from '../packages/reports/src/protocol/rest/service-file.ts'
import { reportsFolder } from './launch/processes.ts'

const usage = `Uso: npm run reports -- publish <pasta>   confere e publica
     npm run reports -- check <pasta>     só confere
     npm run reports -- remove <id>       retira um relatório (ou um conjunto de dados sem relatórios)
     npm run reports -- schema            escreve docs/schema, o JSON Schema para editores

A pasta de dados do serviço é a de REPORTS_DATA_DIR (ou <DATA_DIR>/reports; padrão ./data/reports).`

/** Publishes reports. Exits with 1 and changes nothing when there is any fault. */
export async function main(): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(3))
  } catch (error) {
    const said = sentenceOf(error)
    if (said === undefined) throw error
    console.error(said)
    process.exitCode = 1
  }
}

async function run(args: string[]): Promise<number> {
  const [command, subject, ...more] = parseArgs({ args, allowPositionals: true }).positionals
  if (command === 'schema' && !subject) {
    for (const path of await writeSchemas()) console.log(fromHere(path))
    return 0
  }
  if (!subject || more.length || !['publish', 'check', 'remove'].includes(command ?? '')) {
    console.error(usage)
    return 1
  }
  const renamed = renamedFolderFault(process.env, 'DATA_DIR')
  if (renamed) throw new ConfigError(renamed)
  const { dataDir, memoryMegabytes } = readConfig({
    ...process.env,
    REPORTS_DATA_DIR: reportsFolder(process.env),
  })
  const settings = { dataDir: resolve(dataDir), memoryMegabytes }
  const refusal =
    (command !== 'remove' && (await whyNoFolder(subject))) ||
    (command !== 'check' && (await whyUnreadable(settings.dataDir, SERVICE_FILE)))
  if (refusal) {
    console.error(refusal)
    return 1
  }
  if (command === 'remove') {
    const { name, reason } = await remove(settings, subject)
    if (reason) console.error(reason)
    else console.log(`Retirado: ${name}. Um serviço no ar deixa de mostrá-lo em segundos.`)
    return reason ? 1 : 0
  }
  const publisher = { author: userName(), origin: 'command' as const }
  const evaluation = await (command === 'publish' ? publish : check)(settings, subject, publisher)
  if (!evaluation.faults.length) await printClosed(evaluation)
  return tell(evaluation, command === 'publish' ? settings.dataDir : undefined)
}

async function whyNoFolder(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) return undefined
  return found ? `${path} não é uma pasta.` : `A pasta ${path} não existe.`
}

/** Returns the author of the version. A container's user may have no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return ''
  }
}

/** Loads the portal's code only when it is needed. */
async function printClosed({ closed }: CheckResult): Promise<void> {
  if (!closed.length) return
  const { lostAccess } = await import('./lost-access.ts')
  for (const sentence of await lostAccess(process.env, closed)) console.log(`aviso  ${sentence}`)
}

function tell({ faults, remarks, published }: CheckResult, dataDir: string | undefined): number {
  for (const remark of remarks) console.log(`aviso  ${shorter(remark)}`)
  for (const fault of faults) console.error(`erro   ${shorter(fault)}`)
  if (faults.length) {
    const count = faults.length === 1 ? '1 erro' : `${faults.length} erros`
    console.error(dataDir ? `\n${count}: nada foi publicado.` : `\n${count}.`)
    return 1
  }
  if (dataDir) {
    for (const name of published) console.log(`publicado  ${name}`)
    console.log(`\nPublicado em ${dataDir}. Um serviço no ar mostra o novo em segundos.`)
  } else console.log('Tudo certo. Nada foi publicado: só conferido.')
  return 0
}

/** Shortens paths to how the reader would type them. */
const shorter = (sentence: string) => sentence.replaceAll(`${process.cwd()}/`, '')
const fromHere = (path: string) => relative(process.cwd(), path)

/** Returns what an operator can act on; undefined for an unexpected error. */
const sentenceOf = (error: unknown): string | undefined => {
  if (error instanceof ConfigError || error instanceof PublicationBusyError) return error.message
  const { code, path = '' } = (error instanceof Error ? error : {}) as NodeJS.ErrnoException
  const said = code && faults[code]
  return said && `${said}: ${path}`
}
const faults: Record<string, string> = {
  ENOENT: 'Não existe',
  ENOTDIR: 'Não é uma pasta',
  EACCES: 'Sem permissão para ler ou gravar',
  EPERM: 'Sem permissão para ler ou gravar',
  EROFS: 'O disco é só de leitura',
  ENOSPC: 'O disco está cheio',
}
