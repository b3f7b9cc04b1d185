import type { PublicAnnouncement } from '@bi-manager/contract'
import { AnnouncementBanner } from '../../ui/announcement/announcement-banner.tsx'
import classes from './maintenance-notice.module.css'

/** The maintenance announcements on the sign-in page; loaded only when there are some. */
const MaintenanceNotice = ({ announcements }: { announcements: PublicAnnouncement[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: long ones are scrolled with the keyboard
  <section aria-label="Avisos" tabIndex={0} className={classes.notice}>
    {announcements.map(({ titulo, texto }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they never change on this page
      <AnnouncementBanner key={index} titulo={titulo} texto={texto} manutencao />
    ))}
  </section>
)

export default MaintenanceNotice
