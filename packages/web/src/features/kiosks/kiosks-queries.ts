import { type Kiosk, kioskEntity, kiosksApi, reportRecordsApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call, callInBackground } from '../../lib/api/api.ts'
import { reportsKey } from '../../lib/api/query-keys.ts'
import { searchOptions } from '../../ui/search-select/select-options.ts'

export const kiosksKey = [kioskEntity.list] as const

/** Polling interval of a kiosk's screen (ms). */
const everyMs = 10_000

/** The screen of a kiosk, and the pages that the rotation leaves out. */
export const screenQuery = (kiosk: Kiosk) =>
  queryOptions({
    queryKey: [...kiosksKey, kiosk.idTelao, 'tela'],
    queryFn: ({ signal }) => callInBackground(kiosksApi.get, { params: { id: kiosk.idTelao } }, { signal }),
    initialData: kiosk,
    refetchInterval: everyMs,
    retry: false,
  })

export const reportPagesQuery = (idRelatorio: number) =>
  queryOptions({
    queryKey: [...reportsKey, idRelatorio, 'paginas'],
    queryFn: ({ signal }) => call(kiosksApi.listPages, { params: { idRelatorio } }, { signal }),
    retry: false,
    staleTime: 300_000,
  })

export const searchReports = searchOptions(
  reportRecordsApi.list,
  ({ idRelatorio, nomeRelatorio, nomeGrupo, tipoRelatorio, papeisRls, enviaIdentidade }) => ({
    value: idRelatorio,
    label: nomeRelatorio,
    description: nomeGrupo,
    mark:
      tipoRelatorio === 'PAGINADO'
        ? 'paginado: não passa em telões'
        : papeisRls.length > 0 || enviaIdentidade
          ? 'restringe as linhas'
          : undefined,
  }),
)
