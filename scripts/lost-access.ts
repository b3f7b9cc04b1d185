import { existsSync } from 'node:fs'
import { LostAccess, reportRolesApi } from '@bi-manager/contract'
import type { ClosedReport } from '../packages/reports/src/authoring/publish/prepare.ts'
import { signCommandCall } from '../packages/server/src/platform/commands/command-call.ts'
import { loadConfig } from '../packages/server/src/platform/config/config.ts'
import { keyFileOf } from '../packages/server/src/platform/config/key-file.ts'
import { loadSecrets } from '../packages/server/src/platform/config/secrets.ts'
import { localAddress } from './launch/processes.ts'

type Environment = Record<string, string | undefined>

/**
 * Returns Portuguese sentences about who loses access when a publication starts to require roles.
 * The report service knows no users, and a running portal locks its embedded database, so the
 * portal is asked, with a signature by the key that both can read.
 */
export async function lostAccess(env: Environment, closed: ClosedReport[]): Promise<string[]> {
  const names = closed.map(({ name, path }) => `"${name}" (${path})`).join(', ')
  const what = `Só abrem com papéis de segurança, a partir desta publicação: ${names}.`
  try {
    const ids = closed.map(({ id }) => id)
    return [what, ...sentencesOf(await askPortal(env, ids))]
  } catch (error) {
    return [
      what,
      `Não se sabe quantas pessoas perdem o acesso: ${reasonOf(error)}. Rode o comando na máquina do portal, com o portal no ar e as mesmas configurações.`,
    ]
  }
}

async function askPortal(env: Environment, ids: string[]): Promise<LostAccess> {
  const { appSecret, dataDir } = loadConfig(env)
  // Loading secrets would create a missing key file.
  if (!appSecret && !existsSync(keyFileOf(dataDir))) throw new Error(`não há chave do portal em ${dataDir}`)
  const secrets = loadSecrets(appSecret, dataDir)
  const address = localAddress(env.HOST, env.PORT, 3000)
  const { method, url } = reportRolesApi.lostAccess
  const response = await fetch(`${address}/api${url}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(signCommandCall(secrets, ids, new Date())),
    redirect: 'error',
    signal: AbortSignal.timeout(15_000),
  }).catch((cause: unknown) => {
    throw new Error(`o portal não respondeu em ${address}`, { cause })
  })
  if (!response.ok) throw new Error(`o portal em ${address} respondeu ${response.status}`)
  return LostAccess.parse(await response.json())
}

function sentencesOf({ relatorios, pessoas }: LostAccess): string[] {
  if (!relatorios.length) return ['No portal, nenhum deles está sem papéis: nenhuma pessoa perde o acesso.']
  return [
    ...relatorios.map(
      ({ nomeRelatorio, nomeGrupo, pessoas }) =>
        `No portal, sem papéis: "${nomeRelatorio}" (${nomeGrupo}), que ${count(pessoas, 'pode', 'podem')} abrir.`,
    ),
    `Ao todo, ${count(pessoas, 'perde', 'perdem')} o acesso. Escolha no portal, em cada relatório, os papéis de segurança (RLS).`,
  ]
}

const count = (people: number, one: string, many: string) =>
  people === 1 ? `1 pessoa ${one}` : `${people} pessoas ${many}`

const reasonOf = (error: unknown) =>
  error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
