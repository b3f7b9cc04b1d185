import { useQuery } from '@tanstack/react-query'
import { portalQuery } from './queries.ts'

/** Whether e-mails leave the server: without a mail server they become files there. */
export const useSendsMail = (): boolean => useQuery(portalQuery).data?.enviaEmails !== false

/** Whether e-mails as a whole are late; asked again every 20 seconds. */
export const useMailIsLate = (): boolean =>
  useQuery({ ...portalQuery, staleTime: 0, refetchInterval: 20_000 }).data?.correioAtrasado === true
