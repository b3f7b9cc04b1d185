import { Button } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { Outlet } from 'react-router'
import '../shell/mantine.css'
import { SessionEndingDialog } from '../../features/sessions/session-ending-dialog.tsx'
import { startSignOut } from '../../features/sessions/signing-out.tsx'
import { useSession } from '../../lib/session/session.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import classes from './public-frame.module.css'

/** The frame of a page that must be completed before any other: the person's name and sign-out. */
export const PendingFrame = () => (
  <div className={classes.frame}>
    <header className={classes.header}>
      <span className={classes.brand}>
        <BrandMark size={28} />
        BI Manager
      </span>
      <span className={classes.person}>{useSession()?.nome}</span>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconLogout size={18} stroke={1.6} aria-hidden />}
        onClick={startSignOut}
      >
        Sair
      </Button>
    </header>
    <main id="conteudo" tabIndex={-1} className={classes.main}>
      <Outlet />
    </main>
    <SessionEndingDialog />
  </div>
)
