import type { SystemStatus } from '@bi-manager/contract'
import { withinTime } from '@bi-manager/telemetry/within-time'
import type { FastifyBaseLogger } from 'fastify'
import { programVersion } from '../../platform/config/version.ts'
import type { Services } from '../../platform/http/services.ts'
import { backupItem } from './backup-item.ts'
import { databaseItem, reportServiceItem, storageItem } from './checks.ts'
import { connectionsItem } from './connections-item.ts'
import type { ExpiryDates } from './expiry-dates.ts'
import { certificatesItem, secretsItem } from './expiry-items.ts'
import { worstOf } from './item.ts'
import { mailItem } from './mail-item.ts'
import { clockItem, nodeName } from './node-clock.ts'
import { queuesItem } from './queues-item.ts'

/** A certificate takes at most three seconds; the page waits no longer than this for any check. */
const checkLimit = 3_500
const keptFor = 3_000

type Needs = Pick<Services, 'config' | 'db' | 'now'> & {
  expiryDates: ExpiryDates
  log: Pick<FastifyBaseLogger, 'warn'>
}

/**
 * Runs all checks concurrently, each within its limit. Answers are cached for three seconds, so
 * that several administrators and a monitoring system cause one run.
 */
export const createStatusCollector = (needs: Needs) => {
  let last: { at: number; status: Promise<SystemStatus> } | undefined
  return {
    collect: (): Promise<SystemStatus> => {
      const time = needs.now().getTime()
      if (last && Math.abs(time - last.at) < keptFor) return last.status
      last = { at: time, status: collect(needs) }
      return last.status
    },
    /** Discards the cached answer. */
    forget: (): void => {
      last = undefined
    },
  }
}

const collect = async (needs: Needs): Promise<SystemStatus> => {
  const { config, now, expiryDates, log } = needs
  const unknown = { estado: 'desconhecido', frase: UNKNOWN } as const
  const empty = { ...unknown, lista: [] }
  const check = <T>(name: string, work: Promise<T>, otherwise: T): Promise<T> =>
    withinTime(work, checkLimit).catch((err: unknown) => {
      log.warn({ err, check: name }, 'a check of the system status failed')
      return otherwise
    })
  const minimoBytes = config.minFreeMegabytes * 2 ** 20
  const [
    banco,
    relogio,
    disco,
    email,
    servicoRelatorios,
    conexoes,
    copiaSeguranca,
    certificados,
    segredos,
    filas,
  ] = await Promise.all([
    check('banco', databaseItem(needs), {
      estado: 'falha',
      frase: 'O banco não respondeu a tempo: veja a carga e o disco da máquina dele.',
      tipo: config.databaseUrl ? 'postgresql' : 'embutido',
      versao: null,
      tamanhoBytes: null,
      respostaMs: null,
      ultimaMigracao: null,
      ultimaMigracaoEm: null,
    }),
    check('relogio', clockItem(needs), { ...unknown, diferencaMs: null }),
    check('disco', storageItem(needs), {
      ...unknown,
      pasta: config.dataDir,
      livreBytes: null,
      totalBytes: null,
      minimoBytes,
    }),
    check('email', mailItem(needs), {
      ...unknown,
      modo: config.mail.smtpUrl ? 'smtp' : 'pasta',
      destino: '',
      aguardando: 0,
      maisAntigaEm: null,
      ultimaEntregaEm: null,
      falhandoDesde: null,
      falhas: [],
    }),
    check('servicoRelatorios', reportServiceItem(needs), null),
    check('conexoes', connectionsItem(needs), { ...empty, total: 0 }),
    check('copiaSeguranca', backupItem(needs), {
      ...unknown,
      ultimaEm: null,
      destino: null,
      verificada: null,
      emAndamentoDesde: null,
    }),
    check(
      'certificados',
      expiryDates.certificates().then((found) => certificatesItem(found, now())),
      empty,
    ),
    check(
      'segredos',
      expiryDates.secrets().then((found) => secretsItem(found, now())),
      empty,
    ),
    check('filas', queuesItem(needs), empty),
  ])
  const items = {
    banco,
    relogio,
    disco,
    email,
    servicoRelatorios,
    conexoes,
    copiaSeguranca,
    certificados,
    segredos,
    filas,
  }
  const estado = worstOf(Object.values(items).filter((item) => item !== null))
  return { estado, verificadoEm: now().toISOString(), no: nodeOf(needs), ...items }
}

const UNKNOWN = 'Não foi possível verificar em 3 segundos: veja o log do portal.'

const nodeOf = ({ config, now }: Needs): SystemStatus['no'] => {
  const uptime = process.uptime()
  return {
    nome: nodeName(config),
    versao: programVersion,
    versaoNode: process.version,
    iniciadoEm: new Date(now().getTime() - uptime * 1000).toISOString(),
    segundosNoAr: Math.floor(uptime),
  }
}
