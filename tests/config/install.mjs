/** Installs the product's packages and those of the tests where they are missing. */
import { install } from "../../server/prepare.mjs";

install();
install({ folder: "tests" });
