import { type Appearance, BrandColor, logoAddress } from '@bi-manager/contract'
import { useState } from 'react'
import { BRAND_SIDE, LogoFileError, scaleLogo } from '../../lib/browser/logo-file.ts'
import { useObjectUrl } from '../../lib/browser/use-object-url.ts'
import { useDraft } from '../../ui/entity-form/use-draft.ts'

/** What the person has changed; `imagem` null removes the logo. */
export interface Changes {
  nome?: string
  cor?: string
  imagem?: Blob | null
}

/** The typed look over the saved one. */
export const useAppearanceDraft = (saved: Appearance) => {
  const draft = useDraft<Changes>('aparencia')
  const [changes, setChanges] = useState<Changes>(draft.restored ?? {})
  const [fileFault, setFileFault] = useState<string>()
  const nome = changes.nome ?? saved.nome ?? ''
  const cor = changes.cor ?? saved.cor ?? ''
  const chosenUrl = useObjectUrl(changes.imagem ?? undefined)
  const savedUrl = saved.logo && changes.imagem === undefined ? logoAddress(saved.logo) : undefined
  const isDirty =
    nome.trim() !== (saved.nome ?? '') || cor !== (saved.cor ?? '') || changes.imagem !== undefined
  draft.keep(isDirty ? changes : undefined)

  return {
    nome,
    cor,
    /** The colour once it is a whole one, whatever its contrast. */
    wholeColor: /^#[0-9a-f]{6}$/i.test(cor.trim()) ? cor.trim().toLowerCase() : undefined,
    colorFault: cor === '' ? undefined : BrandColor.safeParse(cor).error?.issues[0]?.message,
    imagem: changes.imagem,
    logoUrl: chosenUrl ?? savedUrl,
    fileFault,
    isDirty,
    isRestored: draft.restored !== undefined,
    change: (next: Changes) => setChanges((current) => ({ ...current, ...next })),
    chooseFile: async (file: File) => {
      setFileFault(undefined)
      try {
        const imagem = await scaleLogo(file, BRAND_SIDE)
        setChanges((current) => ({ ...current, imagem }))
      } catch (error) {
        if (!(error instanceof LogoFileError)) throw error
        setFileFault(error.message)
      }
    },
    /** Drops what was saved. What the person changed during the save stays. */
    settle: (sent: Changes) =>
      setChanges(
        (current): Changes =>
          Object.fromEntries(
            Object.entries(current).filter(([name, value]) => value !== sent[name as keyof Changes]),
          ),
      ),
  }
}

export type AppearanceDraft = ReturnType<typeof useAppearanceDraft>
