import { statfs } from 'node:fs/promises'
import type { SystemStatus } from '@bi-manager/contract'
import { z } from 'zod'
import type { Services } from '../../platform/http/services.ts'
import { connectionFault, faultSentence } from '../../platform/lib/connection-fault.ts'
import { countText } from '../../platform/lib/count-text.ts'
import type { Item } from './item.ts'
import { readDatabase } from './system-status.repository.ts'

type Needs = Pick<Services, 'config' | 'db' | 'now'>

export const databaseItem = async ({ config, db }: Needs): Promise<SystemStatus['banco']> => {
  const started = performance.now()
  const { versao, tamanhoBytes, migracao, migradaEm } = await readDatabase(db)
  const respostaMs = Math.round(performance.now() - started)
  const isSlow = respostaMs > 1_000
  return {
    estado: isSlow ? 'atencao' : 'ok',
    frase: isSlow
      ? `O banco levou ${respostaMs} ms para responder: veja a carga e o disco da máquina dele.`
      : 'O banco responde.',
    tipo: config.databaseUrl ? 'postgresql' : 'embutido',
    versao,
    tamanhoBytes,
    respostaMs,
    ultimaMigracao: migracao,
    ultimaMigracaoEm: new Date(migradaEm).toISOString(),
  }
}

export const storageItem = async ({ config }: Needs): Promise<SystemStatus['disco']> => {
  const { bavail, blocks, bsize } = await statfs(config.dataDir)
  const [livreBytes, totalBytes] = [bavail * bsize, blocks * bsize]
  const minimoBytes = config.minFreeMegabytes * 2 ** 20
  return {
    ...evaluateStorage({ free: livreBytes, least: minimoBytes, holdsDatabase: !config.databaseUrl }),
    pasta: config.dataDir,
    livreBytes,
    totalBytes,
    minimoBytes,
  }
}

/** A disk fills over days: the warning comes long before writes are refused. */
const warnAt = 5

interface Storage {
  free: number
  least: number
  /** The embedded database is on this disk, so that all writes are refused, not only files. */
  holdsDatabase: boolean
}

const evaluateStorage = ({ free, least, holdsDatabase }: Storage): Item => {
  const refused = holdsDatabase ? 'as gravações são recusadas' : 'o envio de arquivos é recusado'
  if (free < least) {
    return {
      estado: 'falha',
      frase: `O disco de DATA_DIR está cheio e ${refused}: libere espaço ou aumente o disco.`,
    }
  }
  return free < warnAt * least
    ? { estado: 'atencao', frase: 'O disco de DATA_DIR está quase cheio: libere espaço ou aumente o disco.' }
    : { estado: 'ok', frase: 'Há espaço livre no disco de DATA_DIR.' }
}

/** Checks the local report service, if configured; Microsoft's, through its connections. */
export const reportServiceItem = async ({ config }: Needs): Promise<SystemStatus['servicoRelatorios']> => {
  const { localEmbedOrigin, addresses } = config.bi
  if (!localEmbedOrigin) return null
  const endereco = addresses.local.api
  let fault: string | undefined
  const answer = await fetch(`${endereco}/readyz`, {
    signal: AbortSignal.timeout(2_500),
    redirect: 'error',
  }).catch((error: unknown) => {
    fault = connectionFault(error)
  })
  const known = ReadyAnswer.safeParse(await answer?.json().catch(() => undefined)).data
  const facts = { endereco, relatorios: known?.relatorios ?? null, avisos: known?.avisos ?? null }
  if (fault) return { estado: 'falha', frase: `${faultSentence(fault, `de ${endereco}`)}.`, ...facts }
  if (!answer) {
    const frase = `O serviço de relatórios não responde em ${endereco}: inicie-o, ou corrija REPORTS_URL.`
    return { estado: 'falha', frase, ...facts }
  }
  if (!answer.ok || !known) {
    const frase = 'O serviço de relatórios ainda carrega os dados: aguarde, ou veja o log dele.'
    return { estado: 'atencao', frase, ...facts }
  }
  if (known.avisos > 0) {
    const what = countText(known.avisos, 'aviso', 'avisos')
    const frase = `O serviço de relatórios deu ${what} ao carregar: veja no log dele o que não pôde usar.`
    return { estado: 'atencao', frase, ...facts }
  }
  const reports = countText(known.relatorios, 'relatório', 'relatórios')
  return { estado: 'ok', frase: `O serviço de relatórios responde, com ${reports}.`, ...facts }
}

/** Answer of the report service's `/readyz`. */
const ReadyAnswer = z.object({ relatorios: z.number().int(), avisos: z.number().int() })
