import { useEffect, useState } from 'react'

/** Returns an object URL of the content, revoked on unmount. */
export const useObjectUrl = (content: Blob | undefined): string | undefined => {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!content) return
    const created = URL.createObjectURL(content)
    setUrl(created)
    return () => {
      URL.revokeObjectURL(created)
      setUrl(undefined)
    }
  }, [content])
  return url
}
