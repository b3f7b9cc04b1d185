import { isBlocking } from '@bi-manager/contract'
import { useSession } from '../../lib/session/session.ts'
import { Shell } from '../shell/shell.tsx'
import { PendingFrame } from './pending-frame.tsx'

/** The shell, or a minimal frame while a pending step blocks the shell's requests. */
export const SignedInFrame = () => (isBlocking(useSession()?.pendencia) ? <PendingFrame /> : <Shell />)
