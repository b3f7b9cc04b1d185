import { FileButton, Input } from '@mantine/core'
import { IconPhotoUp, IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import { LOGO_TYPES } from '../../lib/browser/logo-file.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import shared from '../../ui/shared.module.css'
import classes from './appearance.module.css'
import type { AppearanceDraft } from './use-appearance-draft.ts'

interface LogoFieldProps {
  draft: AppearanceDraft
  /** The server's refusal. */
  fault: string | undefined
  onChange: AppearanceDraft['change']
}

export const LogoField = ({ draft, fault, onChange }: LogoFieldProps) => {
  const { logoUrl, fileFault } = draft
  const forget = useRef<() => void>(null)
  const choose = (file: File | null) => {
    if (file) void draft.chooseFile(file)
    // Otherwise choosing the same file again would emit no change event.
    forget.current?.()
  }
  return (
    <Input.Wrapper
      label="Logo"
      labelElement="div"
      description="PNG, JPEG ou WebP, de preferência deitado e com fundo transparente. Aparece sobre branco."
      error={fileFault ?? fault}
      inputContainer={(content) => <div className={classes.logo}>{content}</div>}
    >
      {logoUrl && <img src={logoUrl} alt="Logo escolhido" className={classes.picture} />}
      <div className={shared.buttons}>
        <FileButton accept={LOGO_TYPES.join(',')} onChange={choose} resetRef={forget}>
          {(button) => (
            <Button variant="default" leftSection={<IconPhotoUp size={17} aria-hidden />} {...button}>
              {logoUrl ? 'Trocar imagem' : 'Enviar imagem'}
            </Button>
          )}
        </FileButton>
        {logoUrl && (
          <ActionButton
            variant="subtle"
            color="red"
            type="button"
            icon={IconTrash}
            label="Remover logo"
            onClick={() => onChange({ imagem: null })}
          />
        )}
      </div>
    </Input.Wrapper>
  )
}
