import type { ReactNode } from 'react'
import { useSession } from '../../lib/session/session.ts'
import { AdminCard } from './admin-card.tsx'
import { FavoriteReports } from './favorite-reports.tsx'
import { greeting } from './greeting.ts'
import { HealthSection } from './health-section.tsx'
import classes from './home-page.module.css'
import { LastSignIn, RecentReports } from './recent-reports.tsx'
import { ReportsSection } from './reports-section.tsx'

interface HomePageProps {
  /** Shown at the top for an ADMIN. */
  adminNotice: ReactNode
  /** `healthAction` is next to the heading of 'BI Saúde', `healthReport` below its tiles. */
  healthAction: ReactNode
  healthReport: ReactNode
}

export const HomePage = ({ adminNotice, healthAction, healthReport }: HomePageProps) => {
  const session = useSession()
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <h1 className={classes.heading}>{greeting(session?.nome ?? '', new Date().getHours())}</h1>
        <p className={classes.lead}>
          Escolha um relatório para começar.
          <LastSignIn />
        </p>
      </header>
      {session?.tipo === 'ADMIN' && adminNotice}
      <FavoriteReports />
      <RecentReports />
      <ReportsSection />
      {session?.tipo === 'ADMIN' && <AdminCard />}
      <HealthSection action={healthAction}>{healthReport}</HealthSection>
    </div>
  )
}
