import { counted } from '../../lib/text/counted.ts'

/** Returns the bell's badge: '3', '99+', or '' for none. */
export const badgeText = (unread: number): string => (unread > 99 ? '99+' : unread > 0 ? String(unread) : '')

/** Returns the bell's accessible name: 'Notificações, 3 não lidas'. */
export const bellName = (unread: number): string =>
  unread > 0 ? `Notificações, ${unreadText(unread)}` : 'Notificações'

/** Returns '1 não lida', '1.200 não lidas'. */
export const unreadText = (unread: number): string => counted(unread, 'não lida', 'não lidas')
