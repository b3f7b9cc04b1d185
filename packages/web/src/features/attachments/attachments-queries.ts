import { type Attachment, attachmentsApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { reasonHeaders } from '../../lib/purpose.ts'

export const attachmentsKey = ['anexos'] as const

/**
 * The file of an attachment, to be shown. Each reading is put on record, so it is read once an opening, and forgotten when
 * nobody looks at it any more.
 */
export const fileQuery = (id: number) =>
  queryOptions({
    queryKey: ['arquivo-de-anexo', id],
    queryFn: ({ signal }) => call(attachmentsApi.file, { params: { id }, query: {} }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** The same file to be kept: the access log says that it was downloaded. */
export const downloadFile = ({ id }: Pick<Attachment, 'id'>): Promise<Blob> =>
  call(attachmentsApi.file, { params: { id }, query: { baixar: '1' } })

export const archiveAttachment = ({ id }: Attachment, reason: string) =>
  call(attachmentsApi.archive, { params: { id } }, { headers: reasonHeaders(reason) })
