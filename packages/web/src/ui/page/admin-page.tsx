import { Box, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { FailureScope } from '../data-table/failure-scope.tsx'
import { FoldedTools, useIsPhone } from '../folded-tools.tsx'
import { ReauthenticationDialog } from '../reauthentication-dialog/reauthentication-dialog.tsx'
import shared from '../shared.module.css'
import classes from './admin-page.module.css'

interface AdminPageProps {
  title: string
  /** Shown above the heading, such as a link back to the list. */
  above?: ReactNode
  /** One line under the title, such as a count or what the page is for. */
  lead?: ReactNode
  /** The primary action, such as a link to the form. */
  actions?: ReactNode
  /** Secondary actions, folded on phones. */
  moreActions?: ReactNode
  /** Uses the width of a form instead of that of a table. */
  narrow?: boolean
  children: ReactNode
}

/** A lead that is still being loaded: it takes its line, so that nothing moves when it arrives. */
export const NO_LEAD_YET = '\u00a0'

/** The frame of a back-office page: heading, lead, actions, content. */
export const AdminPage = (page: AdminPageProps) => {
  const { title, above, lead, actions, moreActions, narrow = false, children } = page
  const isPhone = useIsPhone()
  return (
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
        {(actions || moreActions) && (
          <div className={shared.buttons}>
            {!isPhone && moreActions}
            {actions}
            {isPhone && moreActions && (
              <FoldedTools label="Mais" className={`${shared.buttons} ${classes.more}`}>
                {moreActions}
              </FoldedTools>
            )}
          </div>
        )}
      </header>
      <FailureScope>{children}</FailureScope>
      <ReauthenticationDialog />
    </Box>
  )
}
