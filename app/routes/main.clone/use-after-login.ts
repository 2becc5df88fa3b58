import { useEffect, useRef } from "react";
import { takeAction } from "~/features/login/login-flag";

/** The press that led to the login goes on by itself, once what it needs is back. */
export function useAfterLogin(isReady: boolean, onReady: () => void) {
  const latest = useRef(onReady);
  useEffect(() => {
    latest.current = onReady;
  });
  useEffect(() => {
    if (isReady && takeAction() === "to-clone") latest.current();
  }, [isReady]);
}
