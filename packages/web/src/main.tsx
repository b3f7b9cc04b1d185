import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'
import './app/styles.css'
import { SignInOrPortal } from './app/sign-in-or-portal.tsx'
import { cssVariables, theme } from './app/theme.ts'
import { takeFilledValues } from './lib/forms/take-filled-values.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// The scroll lock under dialogs adds a <style> element; it asks get-nonce, Mantine asks
// getStyleNonce.
setNonce(nonce)

takeFilledValues()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    defaultColorScheme="auto"
    colorSchemeManager={localStorageColorSchemeManager({ key: 'bi-manager.tema' })}
    getStyleNonce={() => nonce}
  >
    <SignInOrPortal />
  </MantineProvider>,
)
