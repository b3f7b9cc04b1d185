import { Box, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ProofDialog } from '../proof-dialog/proof-dialog.tsx'
import shared from '../shared.module.css'
import classes from './admin-page.module.css'

interface AdminPageProps {
  title: string
  /** Shown above the heading, such as a link back to the list. */
  above?: ReactNode
  /** One line under the title, such as a count or what the page is for. */
  lead?: ReactNode
  /** The primary action (a link to the form) and secondary ones. */
  actions?: ReactNode
  /** Uses the width of a form instead of that of a table. */
  narrow?: boolean
  children: ReactNode
}

/** The frame of a back-office page: heading, lead, actions, content. */
export const AdminPage = ({ title, above, lead, actions, narrow = false, children }: AdminPageProps) => (
  <Box className={classes.page} maw={narrow ? '46rem' : undefined}>
    <header className={shared.spreadWide}>
      <div className={shared.breakable}>
        {above}
        <h1 className={shared.pageHeading}>{title}</h1>
        {lead && (
          <Text c="dimmed" mt={4} textWrap="balance">
            {lead}
          </Text>
        )}
      </div>
      {actions && <div className={shared.buttons}>{actions}</div>}
    </header>
    {children}
    <ProofDialog />
  </Box>
)
