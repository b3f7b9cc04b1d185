import { type Kiosk, kioskEntity, kiosksApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call, callInBackground } from '../../lib/api/api.ts'
import { reportsKey } from '../../lib/api/query-keys.ts'

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
