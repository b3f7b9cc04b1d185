import { Button, FileButton } from '@mantine/core'
import { IconPhotoUp } from '@tabler/icons-react'
import { useRef } from 'react'
import { useObjectUrl } from '../../lib/browser/use-object-url.ts'
import { LOGO_TYPES } from './logo-file.ts'
import classes from './logo-section.module.css'
import { ReportLogo } from './report-logo.tsx'
import type { useLogo } from './use-logo.ts'

type Logo = ReturnType<typeof useLogo>

/** The current logo, or the image being uploaded. */
export const LogoPreview = ({ logo }: { logo: Logo }) => {
  const url = useObjectUrl(logo.preview)
  return url ? (
    <img src={url} alt="Imagem escolhida" className={classes.preview} />
  ) : (
    <ReportLogo report={logo.current} size={64} />
  )
}

export const SendLogoButton = ({ logo, children }: { logo: Logo; children: string }) => {
  const forget = useRef<() => void>(null)
  const handleFile = (file: File | null) => {
    logo.send(file)
    // Otherwise choosing the same file again would emit no change event.
    forget.current?.()
  }
  return (
    <FileButton accept={LOGO_TYPES.join(',')} onChange={handleFile} resetRef={forget}>
      {(button) => (
        <Button
          variant="default"
          leftSection={<IconPhotoUp size={17} aria-hidden />}
          loading={logo.isBusy && !logo.isRemoving}
          disabled={logo.isBusy}
          {...button}
        >
          {children}
        </Button>
      )}
    </FileButton>
  )
}
