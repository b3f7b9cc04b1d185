import { accessActions, auditActions } from '@bi-manager/contract'
import { assertInstalled, CommandError, withDatabase } from '../../platform/commands/command.ts'
import type { Config } from '../../platform/config/config.ts'
import { loadSecrets } from '../../platform/config/secrets.ts'
import { inSnapshot } from '../../platform/db/transactions/in-snapshot.ts'
import { countText } from '../../platform/lib/count-text.ts'
import { momentText } from '../../platform/lib/local-time.ts'
import type { Finding } from './finding.ts'
import { verifyAccesses } from './verify-accesses.ts'
import { type NotedHead, type Verification, verifyChain } from './verify-chain.ts'

type Settings = Pick<Config, 'appSecret' | 'dataDir' | 'databaseUrl'>

/** Most findings printed: a chain rewritten from one row on has a finding for each row after it. */
const toldAtMost = 1_000

/**
 * Verifies the audit trail and the access log, and prints the findings in Portuguese.
 * @param noted an end of the chain that an earlier run printed, `ordem:elo`
 * @returns whether both are intact
 * @throws CommandError; DirectoryInUse while a server uses the embedded database
 */
export const verifyAudit = async (
  config: Settings,
  noted: string | undefined,
  tell: (sentence: string) => void,
): Promise<boolean> => {
  const head = noted === undefined ? undefined : headOf(noted)
  assertInstalled(config)
  const secrets = loadSecrets(config.appSecret, config.dataDir)
  let found = 0
  const report = (finding: Finding) => {
    found += 1
    if (found <= toldAtMost) tell(`ACHADO: ${inWords(finding)}`)
  }
  const verification = await withDatabase(config, tell, (db) =>
    // A snapshot, because a running server keeps writing.
    inSnapshot(db, config, async (view) => ({
      ...(await verifyChain(view, secrets, report, head)),
      accesses: await verifyAccesses(view, secrets, report),
    })).catch(explain),
  )
  if (found > toldAtMost) tell(`… e mais ${countText(found - toldAtMost, 'achado', 'achados')}.`)
  summarize(verification, found, head, tell)
  return found === 0
}

const headOf = (text: string): NotedHead => {
  const [, ordem, elo] = /^(\d{1,15}):([\w-]{43})$/.exec(text.trim()) ?? []
  if (!ordem || !elo) {
    throw new CommandError(
      'A ponta anotada se informa como foi mostrada: npm run audit:verify -- <ordem>:<elo>',
    )
  }
  return { ordem: Number(ordem), elo }
}

const explain = (error: unknown): never => {
  // PostgreSQL: 42P01 undefined table, 42703 undefined column.
  if (!['42P01', '42703'].includes((error as { code?: string }).code ?? '')) throw error
  throw new CommandError(
    'Este banco de dados é de uma versão anterior à cadeia: inicie o servidor uma vez e rode o comando de novo.',
  )
}

const actionNames: Record<string, string> = auditActions

const inWords = ({ what, idAuditoria, idAcesso, quando, acao }: Finding): string => {
  if (idAcesso !== undefined) return `${accessInWords({ idAcesso, quando, acao })}: ${what}.`
  if (idAuditoria === undefined) return `${what}.`
  const known = [
    `registro ${idAuditoria}`,
    ...(quando ? [momentText(quando)] : []),
    ...(acao === undefined ? [] : [acao in actionNames ? `${actionNames[acao]} (${acao})` : acao]),
  ]
  return `${known.join(', ')}: ${what}.`
}

const accessInWords = ({ idAcesso, quando, acao }: Omit<Finding, 'what'>): string =>
  [
    `acesso a dados de saúde ${idAcesso}`,
    ...(quando ? [momentText(quando)] : []),
    ...(acao === undefined ? [] : [accessNames[acao] ?? acao]),
  ].join(', ')

const accessNames: Record<string, string> = accessActions

const summarize = (
  { sealed, waiting, trimmed, head, accesses }: Verification & { accesses: number },
  found: number,
  noted: NotedHead | undefined,
  tell: (sentence: string) => void,
): void => {
  tell(
    `${countText(sealed, 'registro na cadeia', 'registros na cadeia')}; ${number(waiting)} à espera do selo.`,
  )
  tell(`${countText(accesses, 'acesso', 'acessos')} a dados de saúde.`)
  if (trimmed > 0) {
    tell(
      `${countText(trimmed, 'registro mais antigo descartado', 'registros mais antigos descartados')} pelo prazo de guarda.`,
    )
  }
  if (found > 0) {
    tell(
      `A trilha de auditoria, ou o registro de acessos, NÃO está íntegra: ${countText(found, 'achado', 'achados')}.`,
    )
    return
  }
  tell('A trilha de auditoria está íntegra: nada foi alterado, incluído, apagado nem trocado de lugar.')
  if (noted) tell(`A ponta anotada (nº ${noted.ordem}) continua na cadeia.`)
  if (head) tell(`Ponta da cadeia, para anotar fora deste servidor: ${head.ordem}:${head.elo}`)
}

const number = (value: number): string => value.toLocaleString('pt-BR')
