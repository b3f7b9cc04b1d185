import { isBlocking } from '@bi-manager/contract'
import { Stack, Text } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { Outlet } from 'react-router'
import { SessionEndingDialog } from '../../features/sessions/session-ending-dialog.tsx'
import { startSignOut } from '../../features/sessions/signing-out.tsx'
import { useSession } from '../../lib/session/session.ts'
import { brandName } from '../../lib/text/brand.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { Shell } from '../shell/shell.tsx'
import classes from './public-frame.module.css'
import '../shell/mantine.css'

/** The shell, or a minimal frame while a pending step blocks the shell's requests. */
export const SignedInFrame = () => (isBlocking(useSession()?.pendencia) ? <PendingFrame /> : <Shell />)

/** The frame of a page that must be completed before any other: the person's name and sign-out. */
const PendingFrame = () => (
  <Stack gap={0} mih="100dvh">
    <header className={classes.header}>
      <span className={classes.brand}>
        <BrandMark size={28} />
        {brandName}
      </span>
      <Text flex={1} px="sm" c="dimmed" fz="sm" ta="right" truncate className={classes.person}>
        {useSession()?.nome}
      </Text>
      <ActionButton variant="subtle" icon={IconLogout} label="Sair" color="gray" onClick={startSignOut} />
    </header>
    <Stack component="main" id="conteudo" tabIndex={-1} flex={1} gap={0}>
      <Outlet />
    </Stack>
    <SessionEndingDialog />
  </Stack>
)
