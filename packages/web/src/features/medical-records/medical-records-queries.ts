import {
  FIRST_CLINICAL_PAGE,
  type MedicalRecord,
  type MedicalRecordUpdate,
  medicalRecordsApi,
} from '@bi-manager/contract'
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { reasonHeaders } from '../../lib/purpose.ts'

export const RECORDS_KEY = 'prontuarios'

export const refreshRecords = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: [RECORDS_KEY, 'lista'] })

export const getRecord = (id: number, signal?: AbortSignal): Promise<MedicalRecord> =>
  call(medicalRecordsApi.get, { params: { id } }, signal && { signal })

/* Each reading stands in the access log: these are read once, when somebody opens them, and kept no longer than they are open. */
const onceOnly = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const

/** @param opening tells apart the times it is opened: an edit on top of an old copy would be refused */
export const recordQuery = (id: number, opening: number) =>
  queryOptions({
    queryKey: [RECORDS_KEY, 'aberto', id, opening],
    queryFn: ({ signal }) => getRecord(id, signal),
    ...onceOnly,
  })

/** Pages of versions. @param version of the record as it is open: a newer one has one more */
export const versionsQuery = (id: number, version: number) =>
  infiniteQueryOptions({
    queryKey: [RECORDS_KEY, 'versoes', id, version],
    queryFn: ({ pageParam: pagina, signal }) =>
      call(
        medicalRecordsApi.versions,
        { params: { id }, query: { pagina, tamanho: FIRST_CLINICAL_PAGE } },
        { signal },
      ),
    initialPageParam: 1,
    getNextPageParam: (page, _pages, pagina) => ((page.at(-1)?.versao ?? 1) > 1 ? pagina + 1 : undefined),
    ...onceOnly,
  })

export const updateRecord = (
  { id, versao }: Pick<MedicalRecord, 'id' | 'versao'>,
  body: MedicalRecordUpdate,
): Promise<MedicalRecord> => call(medicalRecordsApi.update, { params: { id }, body }, { ifMatch: versao })

export const archiveRecord = ({ id }: Pick<MedicalRecord, 'id'>, reason: string): Promise<void> =>
  call(medicalRecordsApi.archive, { params: { id } }, { headers: reasonHeaders(reason) })
