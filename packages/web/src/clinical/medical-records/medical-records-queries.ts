import {
  FIRST_CLINICAL_PAGE,
  type MedicalRecord,
  type MedicalRecordUpdate,
  medicalRecordsApi,
} from '@bi-manager/contract'
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { loggedRead } from '../../lib/api/queries.ts'
import { reasonHeaders } from '../../lib/session/purpose.ts'

export const RECORDS_KEY = 'prontuarios'

export const refreshRecords = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: [RECORDS_KEY, 'lista'] })

export const getEntity = (id: number, signal?: AbortSignal): Promise<MedicalRecord> =>
  call(medicalRecordsApi.get, { params: { id } }, signal && { signal })

/**
 * Returns the query of one record.
 * @param opening differs per opening, because an edit based on an older copy would be refused
 */
export const recordQuery = (id: number, opening: number) =>
  queryOptions({
    queryKey: [RECORDS_KEY, 'aberto', id, opening],
    queryFn: ({ signal }) => getEntity(id, signal),
    ...loggedRead,
  })

/**
 * Returns the infinite query of a record's versions.
 * @param version the record's current version; part of the key, because each edit adds a version
 */
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
    ...loggedRead,
  })

export const updateEntity = (
  { id, versao }: Pick<MedicalRecord, 'id' | 'versao'>,
  body: MedicalRecordUpdate,
): Promise<MedicalRecord> => call(medicalRecordsApi.update, { params: { id }, body }, { ifMatch: versao })

export const archiveEntity = ({ id }: Pick<MedicalRecord, 'id'>, reason: string): Promise<void> =>
  call(medicalRecordsApi.archive, { params: { id } }, { headers: reasonHeaders(reason) })
