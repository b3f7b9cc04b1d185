import { type Attachment, attachmentsApi } from '@bi-manager/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { loggedRead } from '../../lib/api/queries.ts'
import { reasonHeaders } from '../../lib/session/purpose.ts'

/** The key of the list of attachments (attachment-list.tsx). */
export const attachmentsKey = ['anexos'] as const

/** Returns the query of a file for display, which the access log lists as a read. */
export const fileQuery = (id: number) =>
  queryOptions({
    queryKey: ['arquivo-de-anexo', id],
    queryFn: ({ signal }) => call(attachmentsApi.file, { params: { id }, query: {} }, { signal }),
    ...loggedRead,
  })

/** Fetches the file for saving; the access log lists it as a download. */
export const downloadFile = ({ id }: Pick<Attachment, 'id'>): Promise<Blob> =>
  call(attachmentsApi.file, { params: { id }, query: { baixar: '1' } })

/** Archives an attachment ('Excluir') with the typed reason; its file is kept. */
export const archiveAttachment = ({ id }: Attachment, reason: string) =>
  call(attachmentsApi.archive, { params: { id } }, { headers: reasonHeaders(reason) })
