import { useQuery } from '@tanstack/react-query'
import { portalQuery } from './queries.ts'

/** Whether e-mails leave the server: without a mail server they become files there. */
export const useSendsMail = (): boolean => useQuery(portalQuery).data?.enviaEmails !== false
