import { CodeScreen } from './code-screen.tsx'
import { useCredential } from './kiosk-credential.ts'
import { RotationScreen } from './rotation-screen.tsx'

/** '/telao': the page of a screen on a wall. */
export const KioskPage = () => {
  const credential = useCredential()
  return credential ? <RotationScreen key={credential} credential={credential} /> : <CodeScreen />
}
