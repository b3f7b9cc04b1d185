import { type DataFreshness, type DatasetRefresh as DescribedRefresh, ownValue } from '@bi-manager/contract'
import { type Connection, type DatasetRefresh, dataTimeOf, refreshCause } from '../../connections/index.ts'

/** Returns an entry of the history for the screen. */
export const describeRefresh = (
  { type, startedAt, endedAt, state, exception }: DatasetRefresh,
  connection: Pick<Connection, 'provider'>,
): DescribedRefresh => ({
  inicio: startedAt.toISOString(),
  fim: endedAt?.toISOString() ?? null,
  tipo: ownValue(types, type ?? '') ?? 'OUTRA',
  estado: states[state],
  ...(state === 'failed' ? refreshCause(exception, connection) : { causa: null, codigo: null }),
})

const types: Record<string, DescribedRefresh['tipo']> = {
  Scheduled: 'AGENDADA',
  OnDemand: 'MANUAL',
  OnDemandTraining: 'MANUAL',
  ViaApi: 'API',
  ViaEnhancedApi: 'API',
}

const states: Record<DatasetRefresh['state'], DescribedRefresh['estado']> = {
  running: 'EM_ANDAMENTO',
  completed: 'CONCLUIDA',
  failed: 'FALHOU',
  cancelled: 'CANCELADA',
  disabled: 'DESATIVADA',
  unknown: 'DESCONHECIDA',
}

/** What Microsoft accepts within 24 hours in a shared capacity. */
const sharedLimit = 8

const dayMs = 24 * 3_600_000

/** Returns how recent the rows are, from the history. */
export const freshnessOf = (
  refreshes: DatasetRefresh[],
  { provider }: Pick<Connection, 'provider'>,
  now: Date,
): Omit<DataFreshness, 'podeAtualizar' | 'comentariosAbertos'> => {
  const [newest] = refreshes
  const isRecent = ({ startedAt }: DatasetRefresh) => now.getTime() - startedAt.getTime() < dayMs
  return {
    atualizadosEm: dataTimeOf(refreshes)?.toISOString() ?? null,
    ultima: newest ? { inicio: newest.startedAt.toISOString(), estado: states[newest.state] } : null,
    nasUltimas24h: refreshes.filter(isRecent).length,
    limiteDiario: provider === 'microsoft' ? sharedLimit : null,
  }
}

/** The freshness of data whose history cannot be read; they cannot be refreshed either. */
export const unknownFreshness: Omit<DataFreshness, 'comentariosAbertos'> = {
  atualizadosEm: null,
  ultima: null,
  podeAtualizar: false,
  nasUltimas24h: 0,
  limiteDiario: null,
}
