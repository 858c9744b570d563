import java.io.FileInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.poi.openxml4j.opc.PackagePart;
import org.apache.poi.xwpf.usermodel.XWPFComment;
import org.apache.poi.xwpf.usermodel.XWPFDocument;
import org.apache.xmlbeans.XmlError;
import org.apache.xmlbeans.XmlOptions;
import org.openxmlformats.schemas.wordprocessingml.x2006.main.CommentsDocument;
import org.openxmlformats.schemas.wordprocessingml.x2006.main.DocumentDocument;

/**
 * Reads commented Word documents with Apache POI, and validates them by the schemas of ECMA-376. Argument: a list with one file
 * per line, each original before the commented one.
 */
public class ReadComments {
  public static void main(String[] arguments) throws Exception {
    List<String> files = Files.readAllLines(Path.of(arguments[0]));
    int comments = 0;
    boolean failed = false;
    for (int at = 0; at + 1 < files.size(); at += 2) {
      List<String> faults = new ArrayList<>();
      try (XWPFDocument before = open(files.get(at)); XWPFDocument after = open(files.get(at + 1))) {
        int count = comments(after).length - comments(before).length;
        comments += count;
        if (count < 1) faults.add("has no comments");
        for (var comment : comments(after)) if (comment.getText().isBlank()) faults.add("an empty comment");
        if (!text(before).equals(text(after))) faults.add("another text");
        List<String> known = validate(before);
        for (String error : validate(after)) if (!known.contains(error)) faults.add(error);
      } catch (Exception error) {
        faults.add(error.toString());
      }
      for (String fault : faults) System.out.println(files.get(at + 1) + ": " + fault);
      failed |= !faults.isEmpty();
    }
    System.out.println(files.size() / 2 + " documents, " + comments + " comments");
    if (failed) System.exit(1);
  }

  private static XWPFComment[] comments(XWPFDocument document) {
    var comments = document.getComments();
    return comments == null ? new XWPFComment[0] : comments;
  }

  private static XWPFDocument open(String file) throws Exception {
    try (var in = new FileInputStream(file)) {
      return new XWPFDocument(in);
    }
  }

  /** All of the XML, where POI's extractor would add the comments to the paragraphs. */
  private static String text(XWPFDocument document) {
    StringBuilder text = new StringBuilder();
    for (var cursor = document.getDocument().newCursor(); cursor.toNextToken().intValue() != 0; )
      if (cursor.isText() && !"".equals(cursor.getTextValue())) text.append(cursor.getTextValue());
    return text.toString();
  }

  private static List<String> validate(XWPFDocument document) throws Exception {
    List<String> errors = new ArrayList<>();
    collect(DocumentDocument.Factory.parse(document.getPackagePart().getInputStream()), errors);
    for (PackagePart part : document.getPackage().getParts()) {
      if (part.getContentType().endsWith("wordprocessingml.comments+xml"))
        collect(CommentsDocument.Factory.parse(part.getInputStream()), errors);
    }
    return errors;
  }

  private static void collect(org.apache.xmlbeans.XmlObject of, List<String> errors) {
    List<XmlError> found = new ArrayList<>();
    of.validate(new XmlOptions().setErrorListener(found));
    for (XmlError error : found) errors.add(error.getMessage());
  }
}
