import { useEffect } from "react";
import { ToastContainer, toast } from "react-toastify/unstyled";
import { siteCopy } from "~/copy/site";
import "react-toastify/ReactToastify.css";
import "./toasts.css";
import { connectNotices, lasting } from "./notify";

/** Loaded with the first notice. `lazy` requires a default export. */
export default function Container() {
  useEffect(() => {
    connectNotices(({ kind, text, lasts }) => toast(text, { type: kind, autoClose: lasts ?? lasting[kind] }));
    return () => connectNotices(null);
  }, []);
  return (
    <ToastContainer
      aria-label={siteCopy.notices}
      closeButton={false}
      closeOnClick
      hideProgressBar
      position="top-right"
    />
  );
}
