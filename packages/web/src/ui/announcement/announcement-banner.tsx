import { IconSpeakerphone, IconTool } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './announcement.module.css'
import { RichText } from './rich-text.tsx'

interface AnnouncementBannerProps {
  titulo: string
  texto: string
  manutencao: boolean
  /** Shows three lines of the text at most. */
  isCut?: boolean
  /** Shown below the text. */
  children?: ReactNode
  /** Shown at the end of the line, such as a button that closes the banner. */
  action?: ReactNode
}

/** An announcement; icon and words tell maintenance from others, not colour alone. */
export const AnnouncementBanner = (banner: AnnouncementBannerProps) => {
  const { titulo, texto, manutencao, isCut = false, children, action } = banner
  const IconOf = manutencao ? IconTool : IconSpeakerphone
  return (
    <div className={classes.banner} data-maintenance={manutencao || undefined} data-cut={isCut || undefined}>
      <IconOf size={20} stroke={1.7} className={classes.icon} aria-hidden />
      <div className={classes.content}>
        <p className={classes.title}>
          {manutencao && <span className={classes.kind}>Manutenção</span>}
          {titulo}
        </p>
        <RichText text={texto} />
        {children}
      </div>
      {action}
    </div>
  )
}

/** Whether three lines cannot hold the text on a phone. */
export const isLong = (text: string): boolean => text.length > 130 || text.split('\n').length > 3
